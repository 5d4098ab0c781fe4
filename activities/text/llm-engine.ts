import { buildGiArtifact, type GiArtifact } from '../../src/insights.js';
import { buildKgArtifact, kgCaps, type KgArtifact } from '../../src/knowledge-graph.js';
import type { SummaryArtifact } from '../../src/summary.js';
import { methodVersions, type TextEngine, type TextEngineInput, type TextResult } from './engine.js';
import { insightsByModel } from './llm-insights.js';
import { graphFactsByModel } from './llm-knowledge-graph.js';
import { speakerNamesByModel } from './llm-speaker-names.js';
import { summarizeByModel } from './llm-summary.js';
import { ModelCalls, type TextEngineDeps } from './model-calls.js';
import { promptVersions } from './prompts/prompt-versions.js';

/** The text stages by a language model, whatever its provider; recovery as design.md section 6 wires it (ADR-148). */
export function llmTextEngine(deps: TextEngineDeps): TextEngine {
  return {
    summarize: (input) => summarize(new ModelCalls(deps), input),
    insights: (input) => insights(new ModelCalls(deps), input),
    knowledgeGraph: (input) => knowledgeGraph(new ModelCalls(deps), input, deps.nowIso),
  };
}

async function summarize(calls: ModelCalls, input: TextEngineInput): Promise<TextResult<SummaryArtifact>> {
  const { artifact, degraded } = await summarizeByModel(calls, input);
  const promptVersion = promptVersions.summarize;
  return result(calls, {
    artifact: { ...artifact, model: calls.modelReported, promptVersion },
    promptVersion,
    degraded,
  });
}

async function insights(calls: ModelCalls, input: TextEngineInput): Promise<TextResult<GiArtifact>> {
  const speakers = await speakerNamesByModel(calls, input);
  const grounded = await insightsByModel(calls, input.transcript, speakers);
  const promptVersion = promptVersions.gi;
  const artifact = buildGiArtifact({
    episode: input.episode,
    transcript: input.transcript,
    insights: grounded.insights,
    speakers,
    modelVersion: calls.modelReported,
    promptVersion,
  });
  const degraded = grounded.degraded.length === 0 ? undefined : grounded.degraded.join('; ');
  return result(calls, { artifact, promptVersion, degraded });
}

async function knowledgeGraph(
  calls: ModelCalls,
  input: TextEngineInput,
  extractedAt: string,
): Promise<TextResult<KgArtifact>> {
  const { facts, metadataOnly, degraded } = await graphFactsByModel(calls, input);
  const { maxTopics = kgCaps.topics, maxEntities = kgCaps.entities } = calls.figures;
  const artifact = buildKgArtifact({
    episode: input.episode,
    durationSec: input.transcript.durationSec,
    facts,
    modelVersion: metadataOnly ? 'metadata_only' : `provider:${calls.modelReported}`,
    extractedAt,
    caps: { topics: maxTopics, entities: maxEntities },
  });
  return result(calls, { artifact, promptVersion: promptVersions.kg, degraded });
}

function result<T>(
  calls: ModelCalls,
  made: { readonly artifact: T; readonly promptVersion: string; readonly degraded: string | undefined },
): TextResult<T> {
  const { artifact, promptVersion, degraded } = made;
  return {
    artifact,
    calls: calls.calls,
    ...(degraded === undefined ? {} : { degraded }),
    modelReported: calls.modelReported,
    promptVersion,
    methodVersion: methodVersions.model,
    method: 'model',
  };
}
