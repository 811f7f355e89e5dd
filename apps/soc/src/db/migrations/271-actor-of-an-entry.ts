import { statement } from './statement.ts'

/**
 * Whoever writes audit entries says which user of the name it was, for all of them in one statement
 * (`core/audit/actor-id.ts`). A trigger asked anew for each, which took as long as all the rest of
 * writing it.
 */
export const actorOfAnEntry = statement(`
  DROP TRIGGER audit_remember_actor ON audit_log;
  DROP FUNCTION remember_actor_id();
`)
