import type { AnswerShape } from '../../src/structured-answers/answer-shape.js';
import { checkAnswer } from '../../src/structured-answers/guardrails.js';
import { structuredCallWithReroll } from '../../src/reroll.js';
import type { TextFigures } from '../../src/text-figures.js';
import { charsPerTokenOf, likelyTokens } from '../../src/tokens.js';
import { InvalidAnswerError } from '../../src/structured-answers/invalid-answer.js';
import { CallFailure } from '../providers/call-failure.js';
import type { ChatAnswer, ChatRequest } from '../providers/provider.js';

/** Keeps the valid answers of an artifact that is not finished, so that a retry asks only what is still open. */
export interface AnswerMemory {
  recall(request: ChatRequest): Promise<ChatAnswer | undefined>;
  keep(request: ChatRequest, answer: ChatAnswer): Promise<void>;
}

export interface TextEngineDeps {
  /**
   * Ticks the call budget, sends, and throws what the call ends in. `purpose` is the name of the JSON schema.
   * Every re-roll comes through here again.
   */
  complete(purpose: string, request: ChatRequest): Promise<ChatAnswer>;
  /** The model's context, prompt and answer together; default 32,768. */
  readonly contextTokens?: number;
  /** Told of every invalid answer, and whether it is asked for again. */
  onViolation(service: string, reason: string, isAskedAgain: boolean): void;
  /** The model that is asked; named where no answer names one. */
  readonly modelId: string;
  /** ISO 8601; stamped into the graph. */
  readonly nowIso: string;
  /** Default: every stage's own. */
  readonly figures?: TextFigures;
  /** Default: nothing is remembered. */
  readonly memory?: AnswerMemory;
}

export interface Question<Answer, T> {
  readonly shape: AnswerShape<Answer>;
  readonly system: string;
  readonly user: string;
  readonly maxOutputTokens: number;
  /** Reads a valid answer, or throws `InvalidAnswerError`. */
  read(text: string, truncated: boolean): T;
  /** Default 1 (design.md section 6 says which calls have none). */
  readonly maxReroll?: number;
  /** Default false: an answer that was cut is invalid. */
  readonly lengthAllowed?: boolean;
}

export interface Optional<T> {
  readonly value?: T;
  readonly missing?: string;
}

const defaultContextTokens = 32_768;
/** Chat template, role marks and the JSON schema where it is put into the prompt. */
const overheadTokens = 400;
/** Above zero, so that a re-roll is a fresh sample (ADR-148). */
const temperature = 0.3;
const smallestUserChars = 500;

/** The calls that make one artifact: each checked, re-rolled where the wiring table says so, and counted. */
export class ModelCalls {
  #calls = 0;
  #modelReported: string;

  constructor(private readonly deps: TextEngineDeps) {
    this.#modelReported = deps.modelId;
  }

  /** Calls really sent so far. */
  get calls(): number {
    return this.#calls;
  }

  get modelReported(): string {
    return this.#modelReported;
  }

  get figures(): TextFigures {
    return this.deps.figures ?? {};
  }

  /**
   * Asks one question, unless an earlier attempt at this artifact has its valid answer. Throws `InvalidAnswerError`;
   * passes on whatever `complete` throws.
   */
  async ask<Answer, T>(question: Question<Answer, T>): Promise<T> {
    const { shape, system, lengthAllowed = false, maxReroll = 1 } = question;
    const user = wellFormed(question.user);
    const request: ChatRequest = {
      system,
      user,
      temperature,
      maxOutputTokens: this.#outputTokens(question.maxOutputTokens),
      json: { name: shape.name, schema: shape.jsonSchema },
    };
    const sent = `${system}\n${user}`;
    const read = (answer: ChatAnswer): T => {
      checkAnswer(answer, { service: shape.name, sent, contextTokens: this.#contextTokens(), lengthAllowed });
      return question.read(answer.text, answer.finishReason === 'length');
    };
    const remembered = await this.#recall(request, read);
    if (remembered !== undefined) return remembered.value;
    const { answer, value } = await structuredCallWithReroll(
      () => this.#complete(shape.name, request),
      (given) => {
        if (given instanceof InvalidAnswerError) throw given;
        return { answer: given, value: read(given) };
      },
      {
        service: shape.name,
        maxReroll,
        onViolation: (...violation) => {
          this.deps.onViolation(...violation);
        },
      },
    );
    await this.deps.memory?.keep(request, answer);
    return value;
  }

  /**
   * Asks a question whose answer an artifact can do without: `missing` says why there is none, because the answer
   * stayed invalid or the service declines the input. An endpoint's failure is thrown.
   */
  async askOptional<Answer, T>(question: Question<Answer, T>): Promise<Optional<T>> {
    try {
      return { value: await this.ask(question) };
    } catch (error) {
      if (error instanceof InvalidAnswerError) return { missing: error.reason };
      if (error instanceof CallFailure && error.type === 'ContentRejected') return { missing: 'input_declined' };
      throw error;
    }
  }

  /** How many characters of user text like `text` fit beside the system prompt and the answer. */
  userChars(system: string, maxOutputTokens: number, text: string): number {
    const tokens = this.#contextTokens() - this.#outputTokens(maxOutputTokens) - overheadTokens - likelyTokens(system);
    return Math.max(smallestUserChars, Math.floor(tokens * charsPerTokenOf(text)));
  }

  /** A remembered answer was valid when it was kept; to another version of this code it may not be. */
  async #recall<T>(request: ChatRequest, read: (answer: ChatAnswer) => T): Promise<{ readonly value: T } | undefined> {
    const answer = await this.deps.memory?.recall(request);
    if (answer === undefined) return undefined;
    try {
      const value = read(answer);
      this.#modelReported = answer.modelReported;
      return { value };
    } catch (error) {
      if (error instanceof InvalidAnswerError) return undefined;
      throw error;
    }
  }

  /** An answer whose envelope is already wrong is an answer too, and may be asked for again (ADR-148). */
  async #complete(purpose: string, request: ChatRequest): Promise<ChatAnswer | InvalidAnswerError> {
    this.#calls += 1;
    try {
      const answer = await this.deps.complete(purpose, request);
      this.#modelReported = answer.modelReported;
      return answer;
    } catch (error) {
      if (!(error instanceof CallFailure) || error.type !== 'InvalidAnswer') throw error;
      return new InvalidAnswerError(purpose, 'schema_mismatch', error.details.code);
    }
  }

  #contextTokens(): number {
    return this.deps.contextTokens ?? defaultContextTokens;
  }

  #outputTokens(wanted: number): number {
    return Math.min(wanted, Math.floor(this.#contextTokens() / 4));
  }
}

/** Halves of characters, as a cut can leave them, are no text: some servers fail with 500 over them. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
