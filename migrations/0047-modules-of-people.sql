-- The modules that people see, by what they see them through: the installations that use them, and the accounts that they belong to. No page
-- walks over those of others.
create index modules_used on modules (installation_id, key collate "C", id) where family_id is null;
create index modules_owned on modules (lower(split_part(repo_name, '/', 1)), key collate "C", id) where family_id is null;
