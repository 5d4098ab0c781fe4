import type { EndpointDefaults } from './model-registry-types.js';

/** Where the project's own local model service listens when nothing says otherwise. */
const localModelsUrl = 'http://127.0.0.1:8791';

const cloudCapacity = 50;

/** Circuit of a cloud LLM in the Python system's default profile: 3 failures, 30 s. */
const cloudLlm = { capacity: cloudCapacity, drainSec: 0, cloud: true, failureThreshold: 3, cooldownSec: 30 } as const;

/**
 * The GPU box. `drainSec`: MOSS, pyannote and both whisper servers go on computing after a disconnect
 * (`reference/providers.md` 0.4); a MOSS window takes up to 12 minutes, a long whisper file about as long.
 */
const dgx: readonly EndpointDefaults[] = [
  { endpointId: 'dgx-speaches', url: 'http://{dgx_tailnet_host}:8000/v1', capacity: 1, drainSec: 600, cloud: false },
  { endpointId: 'dgx-whisper', url: 'http://{dgx_tailnet_host}:8002/v1', capacity: 1, drainSec: 900, cloud: false },
  { endpointId: 'dgx-moss', url: 'http://{dgx_tailnet_host}:8004', capacity: 1, drainSec: 900, cloud: false },
  { endpointId: 'dgx-pyannote', url: 'http://{dgx_tailnet_host}:8001', capacity: 1, drainSec: 600, cloud: false },
  // vLLM batches requests; it and Ollama stop when the client goes away.
  { endpointId: 'dgx-vllm', url: 'http://{dgx_tailnet_host}:8003/v1', capacity: 4, drainSec: 0, cloud: false },
  { endpointId: 'dgx-ollama', url: 'http://{dgx_tailnet_host}:11434', capacity: 1, drainSec: 0, cloud: false },
];

/** The laptop. Our own service kills its child on a disconnect, so nothing drains. */
const local: readonly EndpointDefaults[] = [
  { endpointId: 'local-whisper', url: `${localModelsUrl}/v1`, capacity: 1, drainSec: 0, cloud: false },
  { endpointId: 'local-diarizer', url: localModelsUrl, capacity: 1, drainSec: 0, cloud: false },
  // Computed in the worker: enough that nobody queues at the default window.
  { endpointId: 'local-extractive', url: 'builtin:local-extractive', capacity: 10, drainSec: 0, cloud: false },
  { endpointId: 'local-ollama', url: 'http://127.0.0.1:11434', capacity: 1, drainSec: 0, cloud: false },
  // Any OpenAI-compatible server; only a configuration knows where it is and what it serves.
  { endpointId: 'local-llm', capacity: 1, drainSec: 0, cloud: false },
];

const cloud: readonly EndpointDefaults[] = [
  { endpointId: 'openai', url: 'https://api.openai.com/v1', apiKeyEnv: 'OPENAI_API_KEY', ...cloudLlm },
  { endpointId: 'deepgram', url: 'https://api.deepgram.com', apiKeyEnv: 'DEEPGRAM_API_KEY', ...cloudLlm },
  {
    endpointId: 'gemini',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    apiKeyEnv: 'GEMINI_API_KEY',
    ...cloudLlm,
    failureThreshold: 2,
    cooldownSec: 60,
  },
  { endpointId: 'deepseek', url: 'https://api.deepseek.com/v1', apiKeyEnv: 'DEEPSEEK_API_KEY', ...cloudLlm },
  // A gateway on the tailnet to models in the cloud: what it is asked leaves the premises.
  { endpointId: 'litellm', url: 'http://{dgx_tailnet_host}:4001/v1', apiKeyEnv: 'LITELLM_API_KEY', ...cloudLlm },
  {
    endpointId: 'qwen',
    url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    apiKeyEnv: 'DASHSCOPE_API_KEY',
    ...cloudLlm,
  },
  { endpointId: 'groq', url: 'https://api.groq.com/openai/v1', apiKeyEnv: 'GROQ_API_KEY', ...cloudLlm },
  { endpointId: 'anthropic', url: 'https://api.anthropic.com', apiKeyEnv: 'ANTHROPIC_API_KEY', ...cloudLlm },
];

export const endpointDefaults: Readonly<Record<string, EndpointDefaults>> = Object.fromEntries(
  [...dgx, ...local, ...cloud].map((endpoint) => [endpoint.endpointId, endpoint]),
);
