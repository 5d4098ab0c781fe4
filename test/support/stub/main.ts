import { startControl } from './control.js';
import type { EndpointOptions } from './endpoint-server.js';
import { startStub } from './stub.js';

/**
 * `npm run stub [-- <port of the control API>]`: the GPU box and two clouds as scripted services, each on its usual
 * port plus 10000 where that is free to use, until Ctrl-C. Prints their addresses and how to script them.
 */
const endpoints: Readonly<Record<string, EndpointOptions>> = {
  'dgx-speaches': {
    shape: 'speaches',
    model: 'deepdml/faster-whisper-large-v3-turbo-ct2',
    port: 18000,
    serviceMs: 500,
  },
  'dgx-pyannote': { shape: 'pyannote', model: 'pyannote/speaker-diarization-community-1', port: 18001, serviceMs: 500 },
  'dgx-vllm': { shape: 'vllm', model: 'NVFP4/Qwen3-30B-A3B-Instruct-2507-FP4', port: 18003, serviceMs: 300 },
  'dgx-moss': { shape: 'moss', model: 'OpenMOSS-Team/MOSS-Transcribe-Diarize', port: 18004, serviceMs: 1000 },
  'dgx-ollama': { shape: 'ollama', model: 'qwen3.5:35b', port: 21434, serviceMs: 300 },
  deepgram: { shape: 'deepgram', model: 'nova-3-general', port: 18010, serviceMs: 200 },
  gemini: { shape: 'gemini', model: 'gemini-2.5-flash-lite', port: 18011, serviceMs: 200 },
  openai: { shape: 'openai-transcription', model: 'whisper-1', port: 18012, serviceMs: 200 },
};

async function main(): Promise<void> {
  const stub = await startStub({ endpoints });
  const control = await startControl(stub, Number(process.argv[2] ?? 18099));
  for (const [name, endpoint] of stub.endpoints) {
    console.log(`${name.padEnd(14)} ${endpoint.url}  ${endpoint.options.shape}  ${endpoint.options.model}`);
  }
  console.log(`\ncontrol        ${control.url}
  curl -d '{"endpoint":"dgx-speaches","steps":[{"mode":"status:503,retry-after=2","times":4}]}' ${control.url}/__stub/script
  curl -d '{"endpoint":"dgx-speaches","forMs":60000,"loadingMs":5000}' ${control.url}/__stub/down
  curl ${control.url}/__stub/log      curl -X POST ${control.url}/__stub/reset`);
  const stop = (): void => {
    void Promise.all([stub.close(), control.close()]).then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
