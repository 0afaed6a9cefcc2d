#!/usr/bin/env python3
"""Watch a multi-instance run from a script of your own: python monitor_progress.py runs/multi_instance/progress/

It needs nothing but the standard library. `holdem monitor RUN` shows more.
"""

import json
import sys
import time
from pathlib import Path

ENDED = ("completed", "failed", "interrupted")


def monitor(progress_dir: Path, seconds: float = 10.0) -> None:
    """Print where every instance is until all have ended."""
    while True:
        progress_files = sorted(progress_dir.glob("instance_*_progress.json"))
        if not progress_files:
            print("No progress files found")
            time.sleep(5)
            continue

        everything = [json.loads(file.read_text(encoding="utf-8")) for file in progress_files]
        print("\n" + "=" * 60)
        for data in everything:
            print(
                f"Instance {data['instance_id']}: {data['status']} - "
                f"{data['progress_pct']:.1f}% (iter {data['current_iter']})"
            )
        print(f"\nOverall: {sum(data['progress_pct'] for data in everything) / len(everything):.1f}%")
        print("=" * 60, flush=True)

        if all(data["status"] in ENDED for data in everything):
            completed = sum(data["status"] == "completed" for data in everything)
            print("All instances completed!" if completed == len(everything) else f"{completed} completed")
            break
        time.sleep(seconds)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print("Usage: python monitor_progress.py <progress_dir>")
        sys.exit(1)
    monitor(Path(sys.argv[1]))
