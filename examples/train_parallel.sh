#!/bin/bash
# train_parallel.sh: train on every core for a day. BUDGET and INTERVAL (seconds) make it shorter.

BUCKETS="assets/abstraction/precomputed_buckets.pkl"
LOGDIR="runs/$(date +%Y%m%d_%H%M%S)_parallel"

# Déterminer le nombre de coeurs
NUM_CORES=$(python -c "import multiprocessing; print(multiprocessing.cpu_count())")
echo "Using $NUM_CORES CPU cores"

# Entraînement avec tous les coeurs
python -m holdem.cli.train_blueprint \
  --time-budget "${BUDGET:-86400}" \
  --snapshot-interval "${INTERVAL:-3600}" \
  --buckets "$BUCKETS" \
  --logdir "$LOGDIR" \
  --num-workers 0 \
  --batch-size 100 \
  --tensorboard || exit $?

echo "Training complete. Results in $LOGDIR"
