"""Ways to group hands by their features, one small file each."""
