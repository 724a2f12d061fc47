#!/bin/sh
# Score SmolLM2-135M, a small real model, on a release through lm-eval's chat-completions client.
# Usage: scripts/score_small_model.sh RELEASE [LIMIT [TASKS [SAMPLES]]]
set -eu
if [ -z "${SMALL_MODEL_URL:-}" ]; then exec sh scripts/with_small_model.sh sh "$0" "$@"; fi
release=${1:?usage: scripts/score_small_model.sh RELEASE [LIMIT [TASKS [SAMPLES]]]}
limit=${2:-}
.venv/bin/lm_eval --model local-chat-completions \
    --model_args "model=smollm2-135m,base_url=$SMALL_MODEL_URL/chat/completions,num_concurrent=1,max_retries=3" \
    --apply_chat_template --tasks "${3:-code2bench}" --gen_kwargs max_gen_toks=512 ${limit:+--limit $limit} \
    --metadata "{\"code2bench_release\": \"$release\", \"code2bench_repeats\": ${4:-1}}"
