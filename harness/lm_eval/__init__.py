"""The benchmark as tasks of lm-eval: YAML files that lm-eval finds, and the code that they name."""
