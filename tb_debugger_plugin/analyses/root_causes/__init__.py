"""What made values bad in the first place, the likeliest first: see docs/root-causes.md."""
