import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LocalClient } from './local-client.js';
import { diarizationErrorRate, parseRttm, wordErrorRate, wordErrors, type LabelledTurn } from './local-scoring.js';

/** A folder with `audio/<name>.mp3`, `transcripts/<name>.txt` and `<name>.rttm`: the shared data, and our examples. */
export interface SpokenData {
  readonly dir: string;
  readonly transcribed: readonly string[];
  readonly diarized: readonly { readonly name: string; readonly speakers: number }[];
}

export interface WordFigures {
  /** Over the words of all scripts. */
  readonly pooled: number;
  readonly byName: Readonly<Record<string, number>>;
}

export interface SpeakerFigures {
  readonly counting: number;
  readonly speakersCounted: number;
  readonly countGiven: number;
}

export async function measureWords(client: LocalClient, data: SpokenData): Promise<WordFigures> {
  const files = [];
  const byName: Record<string, number> = {};
  for (const name of data.transcribed) {
    const script = path.join(data.dir, 'transcripts', `${name}.txt`);
    const { text } = await client.transcribe(audioOf(data, name));
    const errors = wordErrors(fs.readFileSync(script, 'utf8'), text);
    byName[name] = round(wordErrorRate([errors]));
    files.push(errors);
    agree(`word error rate of ${name}`, byName[name], theirWordErrorRate(data.dir, script, text));
  }
  return { pooled: round(wordErrorRate(files)), byName };
}

export async function measureSpeakers(
  client: LocalClient,
  data: SpokenData,
): Promise<Readonly<Record<string, SpeakerFigures>>> {
  const figures: Record<string, SpeakerFigures> = {};
  for (const { name, speakers } of data.diarized) {
    const rttm = path.join(data.dir, 'transcripts', `${name}.rttm`);
    const reference = parseRttm(fs.readFileSync(rttm, 'utf8'));
    const counted = await client.diarize(audioOf(data, name));
    const given = await client.diarize(audioOf(data, name), speakers);
    const counting = round(diarizationErrorRate(reference, counted));
    agree(`diarization error rate of ${name}`, counting, theirDiarizationErrorRate(data.dir, rttm, counted));
    figures[name] = {
      counting,
      speakersCounted: new Set(counted.map(({ speaker }) => speaker)).size,
      countGiven: round(diarizationErrorRate(reference, given)),
    };
  }
  return figures;
}

function audioOf(data: SpokenData, name: string): string {
  return path.join(data.dir, 'audio', `${name}.mp3`);
}

function round(rate: number): number {
  return Math.round(rate * 10_000) / 10_000;
}

/** The shared data carries its own scorers: ours must say the same. Rounding may differ in the last digit. */
function agree(what: string, ours: number, theirs: number | undefined): void {
  if (theirs !== undefined && Math.abs(ours - theirs) > 0.0002) {
    throw new Error(`${what}: our rule says ${ours}, the shared one ${theirs}`);
  }
}

function theirWordErrorRate(dir: string, script: string, text: string): number | undefined {
  const scorer = path.join(dir, 'wer.mjs');
  if (!fs.existsSync(scorer)) return undefined;
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  const file = path.join(work, 'transcript.txt');
  fs.writeFileSync(file, text);
  const rate = Number(execFileSync(process.execPath, [scorer, file, script], { encoding: 'utf8' }));
  fs.rmSync(work, { recursive: true });
  return rate;
}

function theirDiarizationErrorRate(dir: string, rttm: string, turns: readonly LabelledTurn[]): number | undefined {
  const scorer = path.join(dir, 'der.py');
  if (!fs.existsSync(scorer)) return undefined;
  const input = turns.map(({ startSec, endSec, speaker }) => `${startSec}-${endSec} S${Number(speaker.slice(-2))}`);
  const output = execFileSync('python3', [scorer, rttm], { input: input.join('\n'), encoding: 'utf8' });
  return Number(/'collar': 0, 'DER': ([\d.]+)/.exec(output)?.[1]);
}
