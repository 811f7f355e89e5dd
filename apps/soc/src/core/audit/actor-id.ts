/**
 * For a statement that writes entries: which user of the name it was, as a name can be given again.
 * Agents and the service itself are none.
 */
export const ACTOR_ID = `(SELECT users.id FROM users
  WHERE username = actor AND actor_kind IN ('user', 'api_key'))`
