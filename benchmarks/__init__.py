"""How fast, how large, how soon: measured side by side. ``python -m benchmarks`` prints it all."""
