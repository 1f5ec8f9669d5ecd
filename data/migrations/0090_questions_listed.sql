CREATE INDEX `question_files_missing` ON `question_files` (`messageId`) WHERE "readyAt" is null and "refusal" is null;--> statement-breakpoint
CREATE INDEX `questions_listed` ON `questions` (iif("answeredAt" is null and "closedAt" is null and "withdrawnAt" is null,
	cast(round(unixepoch("waitsSince", 'subsec') * 1000) as integer),
	9000000000000000 - cast(round(unixepoch("updatedAt", 'subsec') * 1000) as integer)), `id`);
