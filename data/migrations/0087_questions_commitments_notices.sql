CREATE TABLE `applied_commitment_changes` (
	`userId` text NOT NULL,
	`changeId` text NOT NULL,
	`receivedAt` text NOT NULL,
	PRIMARY KEY(`userId`, `changeId`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `applied_commitment_changes_received` ON `applied_commitment_changes` (`receivedAt`);--> statement-breakpoint
CREATE TABLE `commitments` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`madeBy` text NOT NULL,
	`videoId` text,
	`callId` text,
	`text` text NOT NULL,
	`textAt` text NOT NULL,
	`textCounter` integer NOT NULL,
	`textDeviceId` text NOT NULL,
	`textChangeId` text NOT NULL,
	`day` text NOT NULL,
	`dayAt` text NOT NULL,
	`dayCounter` integer NOT NULL,
	`dayDeviceId` text NOT NULL,
	`dayChangeId` text NOT NULL,
	`state` text NOT NULL,
	`stateAt` text NOT NULL,
	`stateCounter` integer NOT NULL,
	`stateDeviceId` text NOT NULL,
	`stateChangeId` text NOT NULL,
	`doneOn` text,
	`remindedFor` text,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`callId`) REFERENCES `coaching_bookings`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "commitments_made_by" CHECK("madeBy" in ('coach', 'member')),
	CONSTRAINT "commitments_state" CHECK("state" in ('proposed', 'open', 'done', 'dropped'))
);
--> statement-breakpoint
CREATE INDEX `commitments_user` ON `commitments` (`userId`,`day`);--> statement-breakpoint
CREATE INDEX `commitments_open` ON `commitments` (`day`,`userId`) WHERE "state" = 'open';--> statement-breakpoint
CREATE INDEX `commitments_video` ON `commitments` (`videoId`);--> statement-breakpoint
CREATE INDEX `commitments_call` ON `commitments` (`callId`);--> statement-breakpoint
CREATE TABLE `notice_choices` (
	`userId` text NOT NULL,
	`kind` text NOT NULL,
	`byPush` integer DEFAULT false NOT NULL,
	`byMail` integer DEFAULT true NOT NULL,
	`changedAt` text NOT NULL,
	PRIMARY KEY(`userId`, `kind`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notice_choices_kind" CHECK("kind" in ('answer', 'call', 'payment', 'video', 'commitment'))
);
--> statement-breakpoint
CREATE INDEX `notice_choices_push` ON `notice_choices` (`kind`,`userId`) WHERE "byPush";--> statement-breakpoint
CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`cause` text NOT NULL,
	`userId` text NOT NULL,
	`kind` text NOT NULL,
	`path` text NOT NULL,
	`createdAt` text NOT NULL,
	`dueAt` text NOT NULL,
	`mailAt` text,
	`mail` text,
	`confirmedAt` text,
	`openedAt` text,
	`mailedAt` text,
	`endedAt` text,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notices_kind" CHECK("kind" in ('answer', 'call', 'payment', 'video', 'commitment'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notices_cause_unique` ON `notices` (`cause`);--> statement-breakpoint
CREATE INDEX `notices_user` ON `notices` (`userId`,`createdAt`);--> statement-breakpoint
CREATE INDEX `notices_created` ON `notices` (`createdAt`);--> statement-breakpoint
CREATE INDEX `notices_mail` ON `notices` (`mailAt`) WHERE "endedAt" is null and "mailAt" is not null;--> statement-breakpoint
CREATE TABLE `push_keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`publicKey` text NOT NULL,
	`privateKey` text NOT NULL,
	`createdAt` text NOT NULL,
	CONSTRAINT "push_keys_one" CHECK("id" = 1)
);
--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`sid` text NOT NULL,
	`userId` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`renewedAt` text NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`sid`) REFERENCES `sessions`(`sid`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_endpoint` ON `push_subscriptions` (`endpoint`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_user` ON `push_subscriptions` (`userId`,`renewedAt`);--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_session` ON `push_subscriptions` (`sid`);--> statement-breakpoint
CREATE TABLE `pushes` (
	`noticeId` text NOT NULL,
	`subscriptionId` text NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`nextAttemptAt` text NOT NULL,
	`lastError` text,
	`sentAt` text,
	PRIMARY KEY(`noticeId`, `subscriptionId`),
	FOREIGN KEY (`noticeId`) REFERENCES `notices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`subscriptionId`) REFERENCES `push_subscriptions`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "pushes_status" CHECK("status" in ('waiting', 'sent', 'gone', 'failed', 'expired'))
);
--> statement-breakpoint
CREATE INDEX `pushes_due` ON `pushes` (`nextAttemptAt`,`noticeId`) WHERE "status" = 'waiting';--> statement-breakpoint
CREATE INDEX `pushes_subscription` ON `pushes` (`subscriptionId`);--> statement-breakpoint
CREATE TABLE `published_questions` (
	`id` text PRIMARY KEY NOT NULL,
	`questionId` text,
	`videoId` text NOT NULL,
	`question` text NOT NULL,
	`answer` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`questionId`) REFERENCES `questions`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `published_questions_once` ON `published_questions` (`questionId`);--> statement-breakpoint
CREATE INDEX `published_questions_video` ON `published_questions` (`videoId`,`createdAt`);--> statement-breakpoint
CREATE TABLE `question_file_contents` (
	`fileId` text NOT NULL,
	`form` text NOT NULL,
	`content` blob NOT NULL,
	PRIMARY KEY(`fileId`, `form`),
	FOREIGN KEY (`fileId`) REFERENCES `question_files`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "question_file_contents_form" CHECK("form" in ('served', 'aac'))
);
--> statement-breakpoint
CREATE TABLE `question_file_pieces` (
	`fileId` text NOT NULL,
	`offset` integer NOT NULL,
	`content` blob NOT NULL,
	PRIMARY KEY(`fileId`, `offset`),
	FOREIGN KEY (`fileId`) REFERENCES `question_files`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `question_files` (
	`id` text PRIMARY KEY NOT NULL,
	`messageId` text NOT NULL,
	`kind` text NOT NULL,
	`position` integer NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`received` integer DEFAULT 0 NOT NULL,
	`readyAt` text,
	`refusal` text,
	`type` text,
	`width` integer,
	`height` integer,
	`durationMs` integer,
	`copiedAt` text,
	FOREIGN KEY (`messageId`) REFERENCES `question_messages`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "question_files_kind" CHECK("kind" in ('photo', 'voice')),
	CONSTRAINT "question_files_bytes" CHECK("bytes" > 0 and "received" between 0 and "bytes"),
	CONSTRAINT "question_files_sha256" CHECK(length("sha256") = 64)
);
--> statement-breakpoint
CREATE INDEX `question_files_message` ON `question_files` (`messageId`,`position`);--> statement-breakpoint
CREATE INDEX `question_files_unread` ON `question_files` (`id`) WHERE "readyAt" is null and "refusal" is null and "received" = "bytes";--> statement-breakpoint
CREATE INDEX `question_files_uncopied` ON `question_files` (`id`) WHERE "kind" = 'voice' and "readyAt" is not null and "copiedAt" is null;--> statement-breakpoint
CREATE TABLE `question_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`questionId` text NOT NULL,
	`author` text NOT NULL,
	`ownerId` text,
	`text` text NOT NULL,
	`videoId` text,
	`postSlug` text,
	`at` text NOT NULL,
	`receivedAt` text NOT NULL,
	FOREIGN KEY (`questionId`) REFERENCES `questions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`ownerId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "question_messages_author" CHECK("author" in ('member', 'coach'))
);
--> statement-breakpoint
CREATE INDEX `question_messages_question` ON `question_messages` (`questionId`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `question_messages_owner` ON `question_messages` (`ownerId`);--> statement-breakpoint
CREATE INDEX `question_messages_video` ON `question_messages` (`videoId`);--> statement-breakpoint
CREATE TABLE `questions` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`origin` text NOT NULL,
	`videoId` text,
	`videoTitle` text,
	`seconds` integer,
	`callId` text,
	`mayPublish` integer DEFAULT false NOT NULL,
	`askedAt` text NOT NULL,
	`countedAt` text NOT NULL,
	`receivedAt` text NOT NULL,
	`answeredAt` text,
	`waitsSince` text NOT NULL,
	`closedAt` text,
	`withdrawnAt` text,
	`readByCoachAt` text,
	`readByMemberAt` text,
	`version` integer DEFAULT 1 NOT NULL,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`callId`) REFERENCES `coaching_bookings`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "questions_origin" CHECK("origin" in ('video', 'call', 'header', 'share')),
	CONSTRAINT "questions_seconds" CHECK("seconds" is null or "seconds" >= 0)
);
--> statement-breakpoint
CREATE INDEX `questions_user` ON `questions` (`userId`,`askedAt`);--> statement-breakpoint
CREATE INDEX `questions_counted` ON `questions` (`userId`,`countedAt`);--> statement-breakpoint
CREATE INDEX `questions_waiting` ON `questions` (`waitsSince`,`id`) WHERE "answeredAt" is null and "closedAt" is null and "withdrawnAt" is null;--> statement-breakpoint
CREATE INDEX `questions_updated` ON `questions` (`updatedAt`,`id`);--> statement-breakpoint
CREATE INDEX `questions_video` ON `questions` (`videoId`);--> statement-breakpoint
CREATE INDEX `questions_call` ON `questions` (`callId`);--> statement-breakpoint
CREATE TABLE `saved_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `useful_questions` (
	`publishedId` text NOT NULL,
	`userId` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`publishedId`, `userId`),
	FOREIGN KEY (`publishedId`) REFERENCES `published_questions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `useful_questions_user` ON `useful_questions` (`userId`);--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `questionsPerMonth` integer;--> statement-breakpoint
-- As the shipped tiers have it: three a month where there are no calls, else no limit.
UPDATE `membership_tiers` SET `questionsPerMonth` = 3 WHERE `slug` = 'lite' OR (`slug` <> 'standard' AND `callsPerMonth` = 0 AND NOT `hasWeeklyAccountability`);
