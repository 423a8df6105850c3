"""The harnesses for atheris are run by hand, and atheris is not among the test requirements."""

collect_ignore_glob = ["fuzz_*.py"]
