"""What hands are grouped by, one small file each: equity, potential, equity against opponent clusters."""
