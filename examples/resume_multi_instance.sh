#!/bin/bash
# Go on with an interrupted multi-instance run, in a new log directory. ITERS and INSTANCES must be those of the original.
set -euo pipefail

BUCKETS="${BUCKETS:-assets/abstraction/precomputed_buckets.pkl}"
ORIGINAL_RUN="${ORIGINAL_RUN:-runs/training_original}"
RESUME_RUN="${RESUME_RUN:-runs/training_resumed_$(date +%Y%m%d_%H%M%S)}"
ITERS="${ITERS:-5000000}"
INSTANCES="${INSTANCES:-8}"

if [ ! -d "$ORIGINAL_RUN" ]; then
  echo "Error: Original run directory not found: $ORIGINAL_RUN"
  exit 1
fi

echo "Resuming from: $ORIGINAL_RUN"
echo "New logs: $RESUME_RUN"

"${PYTHON:-python}" -m holdem.cli.train_blueprint \
  --buckets "$BUCKETS" \
  --logdir "$RESUME_RUN" \
  --iters "$ITERS" \
  --num-instances "$INSTANCES" \
  --checkpoint-interval 25000 \
  --resume-from "$ORIGINAL_RUN" \
  --tensorboard "$@"

echo "Training resumed and complete!"
echo "View results: ls $RESUME_RUN/"
