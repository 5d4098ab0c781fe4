import { z } from 'zod';
import { answerShape } from './answer-shape.js';

/** Topics, people, organisations and how they relate, as a model finds them. */
export const knowledgeGraphShape = answerShape(
  'knowledge_graph',
  z.object({
    topics: z.array(z.object({ label: z.string(), description: z.string() })),
    people: z.array(
      z.object({ name: z.string(), role: z.enum(['host', 'guest', 'mentioned']), description: z.string() }),
    ),
    organizations: z.array(z.object({ name: z.string(), description: z.string() })),
    relations: z.array(z.object({ from: z.string(), to: z.string(), relation: z.string() })),
  }),
);
export type KnowledgeGraphAnswer = z.infer<typeof knowledgeGraphShape.schema>;
