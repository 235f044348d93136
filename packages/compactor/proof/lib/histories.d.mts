export declare const DIALECTS: readonly ['chat', 'anthropic', 'responses'];
export interface Conversation {
  readonly entries: readonly object[];
  readonly marked: boolean;
}
export declare function createRandom(seed: number): () => number;
export declare function drawConversation(random: () => number, options?: { readonly sound?: boolean }): Conversation;
export declare function write(conversation: Conversation, dialect: string): object[];
export declare function faultsOf(messages: readonly object[], dialect: string): string[];
export declare function newestRequest(messages: readonly object[]): string | undefined;
export declare function spoken(message: object): string;
