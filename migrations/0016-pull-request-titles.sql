-- Lists and pages call a pull request by its title, and not by its number alone.
alter table pull_requests add column title text;
