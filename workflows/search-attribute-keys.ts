import { defineSearchAttributeKey } from '@temporalio/common';

/** Keys of our search attributes (`searchAttributes` in `src/messages.ts`), as workflows set them. */
export const keys = {
  state: defineSearchAttributeKey('HoldfastState', 'KEYWORD'),
  batch: defineSearchAttributeKey('HoldfastBatch', 'KEYWORD'),
  endpoint: defineSearchAttributeKey('HoldfastEndpoint', 'KEYWORD'),
  stage: defineSearchAttributeKey('HoldfastStage', 'KEYWORD'),
  profile: defineSearchAttributeKey('HoldfastProfile', 'KEYWORD'),
} as const;
