import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readVocabulary, tokenBytes } from './byte-vocabulary.js';
import { readCt2Model } from './ct2-model.js';
import type { Message } from './onnx-message.js';
import { decoderGraph, encoderGraph, type WhisperMetadata } from './onnx-whisper.js';
import { whisperSizes, whisperTensors, type WhisperSizes } from './whisper-layout.js';

/**
 * Converts an English Whisper model from CTranslate2's form to the three files that sherpa-onnx reads: encoder.onnx,
 * decoder.onnx, tokens.txt. Weights stay in 16 bits.
 * @throws Error when the folder does not hold such a model
 */
export async function convertCt2ToOnnx(modelDir: string, outDir: string): Promise<void> {
  const model = readCt2Model(await fs.promises.readFile(path.join(modelDir, 'model.bin')));
  const sizes = whisperSizes(model);
  const tensors = whisperTensors(model);
  const tokens = readVocabulary(modelDir);
  await write(path.join(outDir, 'encoder.onnx'), encoderGraph(tensors, sizes, metadataOf(tokens, sizes)));
  await write(path.join(outDir, 'decoder.onnx'), decoderGraph(tensors, sizes));
  await fs.promises.writeFile(path.join(outDir, 'tokens.txt'), tokenTable(tokens));
}

function write(file: string, message: Message): Promise<void> {
  return pipeline(Readable.from(message), fs.createWriteStream(file));
}

/** Sizes and the ids of the special tokens, by the names sherpa-onnx looks for. */
function metadataOf(tokens: readonly string[], sizes: WhisperSizes): WhisperMetadata {
  const idOf = (token: string): number => {
    const id = tokens.indexOf(token);
    if (id < 0) throw new Error(`the vocabulary has no ${token}`);
    return id;
  };
  const sot = idOf('<|startoftranscript|>');
  return {
    n_mels: sizes.melBands,
    n_text_layer: sizes.decoderLayers,
    n_text_ctx: sizes.textContext,
    n_text_state: sizes.width,
    n_vocab: sizes.vocabulary,
    sot,
    sot_sequence: sot, // of an English model: no language, no task
    eot: idOf('<|endoftext|>'),
    blank_id: idOf('Ġ'),
    translate: idOf('<|translate|>'),
    transcribe: idOf('<|transcribe|>'),
    no_timestamps: idOf('<|notimestamps|>'),
    no_speech: idOf('<|nocaptions|>'),
    is_multilingual: 0,
  };
}

/** Lines of a token's bytes in base 64 and its id. */
function tokenTable(tokens: readonly string[]): string {
  const text = tokens.slice(0, tokens.indexOf('<|endoftext|>'));
  return text.map((token, id) => `${tokenBytes(token).toString('base64')} ${id}\n`).join('');
}
