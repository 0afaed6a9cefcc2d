#!/bin/bash
# Launch several independent instances, each in its own folder below a log directory named after the time.
# Numbers come from the environment where it has them: ITERS=200000 INSTANCES=2 examples/launch_multi_instance.sh --game leduc
set -euo pipefail

BUCKETS="${BUCKETS:-assets/abstraction/precomputed_buckets.pkl}"
LOGDIR="${LOGDIR:-runs/auto_multi_$(date +%Y%m%d_%H%M%S)}"
ITERS="${ITERS:-5000000}"
INSTANCES="${INSTANCES:-8}"

echo "Launching $INSTANCES instances for $ITERS iterations"
echo "Logs: $LOGDIR"

"${PYTHON:-python}" -m holdem.cli.train_blueprint \
  --buckets "$BUCKETS" \
  --logdir "$LOGDIR" \
  --iters "$ITERS" \
  --num-instances "$INSTANCES" \
  --checkpoint-interval 25000 \
  --tensorboard "$@"

echo "Training complete!"
echo "View results: ls $LOGDIR/"
