import { statement } from './statement.ts'

/**
 * From where a user has signed in: an address, or a browser by the hash of its cookie. What others
 * guess elsewhere does not hold a known place back.
 */
export const signInPlaces = statement(`
  CREATE TABLE sign_in_places (
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    place text NOT NULL,
    last_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, place)
  );
`)
