/**
 * What a member's history consists of, as a common table expression `subjects (subject, until)` for the account `$1`: the
 * account, and every purchase that it ever owned with its customer. The history of a purchase that now belongs to another
 * account ends with its transfer, `until`; null otherwise.
 */
export const subjectsSql = `
  own as (
    select subject, max(position) as since from audit_owners where account_id = $1::uuid group by subject
  ), bought as (
    select subject, (select min(position) from audit_owners later
                      where later.subject = own.subject and later.position > own.since) as until
      from own
  ), purchases as (
    select subject, until from bought
    union
    select r.reference, b.until from bought b
      join audit_references r on r.subject = b.subject and r.kind = 'subscription'
  ), named as (
    select subject, until from purchases
    union all
    select r.reference, p.until from purchases p
      join audit_references r on r.subject = p.subject and r.kind = 'customer'
    union all
    select r.reference, p.until from purchases p
      join audit_references r on r.subject = p.subject and r.kind in ('invoice', 'charge', 'payment intent', 'checkout session', 'refund', 'dispute')
      join audit_references alone on alone.reference = r.reference and alone.kind = 'alone'
    union all
    select ($1::uuid)::text, null
  ), subjects as (
    select subject, case when bool_or(until is null) then null else max(until) end as until
      from named group by subject
  )`;

/** Rows of these subjects of the member. */
export const isOfMember = (row: string): string =>
  `exists (select from subjects s where s.subject = ${row}.subject and ${row}.position <= coalesce(s.until, ${row}.position))`;
