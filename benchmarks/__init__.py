"""What Plymark costs, as ratios of measurements made in the same run. Start it with `python -m benchmarks`."""
