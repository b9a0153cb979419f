-- What uploads ask of the default branch's graph while both have the same configuration, as JSON text: of 6,000 stacks 0.6 MB instead of 8.
-- And a digest of a graph's listing, and one of the listing and the graph by which the repository's stacks are listed: those of most uploads are
-- listed so already. Graphs from before have none.
alter table graphs add column outline text, add column listing_digest bytea;
alter table repositories add column listed_digest bytea;
