import { statement } from './statement.ts'

/**
 * What is erased from the ledger goes wherever it was copied to: the place of a piece with the
 * entry that stated it, and the name of a piece also from what versions before wrote into timelines
 * and events. A piece is told of in its own case and in those which that was ever merged into.
 */
export const eraseCopies = statement(`
  CREATE FUNCTION cases_holding(chain uuid) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
    WITH RECURSIVE holding AS (
      SELECT chain AS id
      UNION
      SELECT case_merges.case_id FROM case_merges JOIN holding ON merged_case_id = holding.id
    )
    SELECT id FROM holding
  $$;

  -- Nothing for a note that does not name the piece: a short name is part of many words.
  CREATE FUNCTION without_name(said text, piece text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE said
      WHEN 'evidence registered: ' || piece THEN 'evidence registered: [erased]'
      WHEN 'evidence ' || piece || ': ' || done THEN 'evidence [erased]: ' || done
    END
    FROM substring(said FROM '[a-z]+$') AS done
  $$;

  CREATE FUNCTION erase_name(chain uuid, piece text) RETURNS void LANGUAGE sql AS $$
    UPDATE case_timeline SET action = without_name(action, piece)
      WHERE case_id IN (SELECT cases_holding(chain)) AND without_name(action, piece) IS NOT NULL;
    UPDATE outbox
      SET data = jsonb_set(data, '{action}', to_jsonb(without_name(data->>'action', piece)))
      WHERE event = 'case.updated' AND data->>'id' IN (SELECT cases_holding(chain)::text)
        AND without_name(data->>'action', piece) IS NOT NULL
  $$;

  CREATE OR REPLACE FUNCTION erase_ledger_details(chain uuid, entry integer) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT erase_name(chain, details->>'name') FROM evidence_ledger
      WHERE case_id = chain AND seq = entry AND action = 'registered';
    UPDATE evidence SET name = '[erased]', storage_url = NULL, location = NULL
      WHERE id = (SELECT evidence_id FROM evidence_ledger
        WHERE case_id = chain AND seq = entry AND action = 'registered');
    UPDATE evidence SET location = NULL FROM evidence_ledger AS erased
      WHERE erased.case_id = chain AND erased.seq = entry AND evidence.id = erased.evidence_id
        AND location = erased.details->>'location'
        AND NOT EXISTS (SELECT FROM evidence_ledger AS later
          WHERE later.case_id = chain AND later.seq > entry AND later.evidence_id = evidence.id
            AND later.details->>'location' = location);
    UPDATE evidence_ledger SET details = '{}', salt = NULL, erased_at = now()
      WHERE case_id = chain AND seq = entry
  $$;

  -- What was erased until now: a place that no entry states, a name that no piece has.
  UPDATE evidence SET location = NULL
    WHERE EXISTS (SELECT FROM evidence_ledger AS entry WHERE entry.case_id = evidence.case_id
        AND evidence_id = evidence.id AND erased_at IS NOT NULL)
      AND NOT EXISTS (SELECT FROM evidence_ledger AS entry WHERE entry.case_id = evidence.case_id
        AND evidence_id = evidence.id AND details->>'location' = location);
  SELECT erase_name(case_id, substr(action, length('evidence registered: ') + 1))
    FROM case_timeline AS noted
    WHERE starts_with(action, 'evidence registered: ')
      AND case_id IN (SELECT case_id FROM evidence WHERE name = '[erased]')
      AND NOT EXISTS (SELECT FROM evidence
        WHERE evidence.case_id = noted.case_id AND action = 'evidence registered: ' || name);
`)
