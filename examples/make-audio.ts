/**
 * Speaks the scripts in examples/transcripts and writes, for each, its audio (examples/audio/<name>.mp3) and who
 * speaks when (examples/transcripts/<name>.rttm). Needs `flite`, whose voices are free to use; run it after a change:
 *   node -r ./bin/register.js examples/make-audio.ts
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { resolveFfmpeg } from '../setup/ffmpeg.js';

/** flite's voices by the speaker's name in the scripts. */
const voices: Readonly<Record<string, string>> = { Clara: 'slt', Martin: 'rms', Simon: 'kal16', Peter: 'rms' };
/** Between speakers, and between the sentences of one: without it flite runs them together. */
const pauseSec = { turn: 0.5, sentence: 0.15 } as const;
const sampleRateHz = 16_000;
const bytesPerSample = 2;

interface Line {
  readonly speaker: string;
  readonly text: string;
}

function readScript(file: string): Line[] {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const spoken = lines.map((line) => /^([A-Z]\w+): (.+)$/.exec(line)).filter((match) => match !== null);
  return spoken.map(([, speaker = '', text = '']) => ({ speaker, text }));
}

/** Raw 16-bit mono samples of one line, sentence by sentence. */
function speakLine({ speaker, text }: Line, dir: string, ffmpegPath: string): Buffer {
  const voice = voices[speaker];
  if (voice === undefined) throw new Error(`no voice for ${speaker}; known: ${Object.keys(voices).join(', ')}`);
  const sentences = text.split(/(?<=[.?!])\s+/);
  const spoken = sentences.map((sentence) => speakSentence({ speaker: voice, text: sentence }, dir, ffmpegPath));
  return Buffer.concat(spoken.flatMap((samples, index) => (index === 0 ? [samples] : [silence('sentence'), samples])));
}

function silence(kind: keyof typeof pauseSec): Buffer {
  return Buffer.alloc(pauseSec[kind] * sampleRateHz * bytesPerSample);
}

function speakSentence({ speaker, text }: Line, dir: string, ffmpegPath: string): Buffer {
  const wave = path.join(dir, 'sentence.wav');
  execFileSync('flite', ['-voice', speaker, '-t', text, '-o', wave]);
  const raw = ['-ac', '1', '-ar', String(sampleRateHz), '-f', 's16le', '-'];
  return execFileSync(ffmpegPath, ['-v', 'error', '-i', wave, ...raw], { maxBuffer: 64 * 1024 * 1024 });
}

function encode(samples: Buffer, outFile: string, ffmpegPath: string): void {
  const raw = ['-f', 's16le', '-ac', '1', '-ar', String(sampleRateHz), '-i', '-'];
  const mp3 = ['-af', 'loudnorm=I=-18:TP=-2', '-ar', '22050', '-b:a', '32k', '-map_metadata', '-1', '-y', outFile];
  execFileSync(ffmpegPath, ['-v', 'error', ...raw, ...mp3], { input: samples });
}

function makeEpisode(script: string, dir: string, ffmpegPath: string): void {
  const name = path.basename(script, '.txt');
  const parts: Buffer[] = [];
  const turns: string[] = [];
  let startSec = 0;
  for (const line of readScript(script)) {
    const samples = speakLine(line, dir, ffmpegPath);
    const lengthSec = samples.length / bytesPerSample / sampleRateHz;
    turns.push(
      `SPEAKER ${name} 1 ${startSec.toFixed(3)} ${lengthSec.toFixed(3)} <NA> <NA> ${line.speaker} <NA> <NA>\n`,
    );
    parts.push(samples, silence('turn'));
    startSec += lengthSec + pauseSec.turn;
  }
  const audio = path.join(__dirname, 'audio', `${name}.mp3`);
  encode(Buffer.concat(parts), audio, ffmpegPath);
  fs.writeFileSync(path.join(__dirname, 'transcripts', `${name}.rttm`), turns.join(''));
  process.stdout.write(`${name}: ${startSec.toFixed(1)} s, ${fs.statSync(audio).size} bytes\n`);
}

async function main(): Promise<void> {
  const ffmpeg = await resolveFfmpeg();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-speech-'));
  const scripts = path.join(__dirname, 'transcripts');
  for (const file of fs.readdirSync(scripts).filter((entry) => entry.endsWith('.txt'))) {
    makeEpisode(path.join(scripts, file), dir, ffmpeg.path);
  }
  fs.rmSync(dir, { recursive: true });
}

void main();
