CREATE TABLE `analytics_events` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`path` text,
	`value` text,
	`currency` text DEFAULT 'GBP' NOT NULL,
	`detail` text,
	`at` text NOT NULL,
	CONSTRAINT "analytics_events_name" CHECK("name" in ('page_view', 'purchase', 'form_submit', 'video_complete', 'login'))
);
--> statement-breakpoint
CREATE INDEX `analytics_events_name` ON `analytics_events` (`name`,`at`);--> statement-breakpoint
CREATE TABLE `applied_changes` (
	`userId` text NOT NULL,
	`changeId` text NOT NULL,
	`receivedAt` text NOT NULL,
	PRIMARY KEY(`userId`, `changeId`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `blog_posts` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`excerpt` text,
	`content` text NOT NULL,
	`author` text DEFAULT 'The coaches' NOT NULL,
	`isPublished` integer DEFAULT false NOT NULL,
	`featuredImage` text,
	`publishedAt` text,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blog_posts_slug_unique` ON `blog_posts` (`slug`);--> statement-breakpoint
CREATE INDEX `blog_posts_published` ON `blog_posts` (`isPublished`,`publishedAt`);--> statement-breakpoint
CREATE TABLE `member_videos` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`videoType` text DEFAULT 'wistia' NOT NULL,
	`videoId` text NOT NULL,
	`embedUrl` text,
	`category` text NOT NULL,
	`orderIndex` integer DEFAULT 0 NOT NULL,
	`isPublished` integer DEFAULT true NOT NULL,
	`tierAccess` text DEFAULT '["lite","standard","xl"]' NOT NULL,
	`duration` integer,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	CONSTRAINT "member_videos_type" CHECK("videoType" in ('wistia', 'youtube', 'streamyard', 'embed')),
	CONSTRAINT "member_videos_tiers" CHECK(json_type("tierAccess") = 'array'),
	CONSTRAINT "member_videos_order_index" CHECK("orderIndex" >= 0)
);
--> statement-breakpoint
CREATE INDEX `member_videos_order` ON `member_videos` (`isPublished`,`category`,`orderIndex`);--> statement-breakpoint
CREATE TABLE `video_progress` (
	`id` text NOT NULL,
	`userId` text NOT NULL,
	`videoId` text NOT NULL,
	`completed` integer DEFAULT false NOT NULL,
	`completedAt` text,
	`watchTime` integer DEFAULT 0 NOT NULL,
	`at` text NOT NULL,
	`counter` integer NOT NULL,
	`deviceId` text NOT NULL,
	`changeId` text NOT NULL,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	PRIMARY KEY(`userId`, `videoId`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `video_progress_id_unique` ON `video_progress` (`id`);--> statement-breakpoint
CREATE TABLE `coaching_applications` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text NOT NULL,
	`trade` text NOT NULL,
	`businessName` text,
	`yearsInBusiness` integer,
	`currentRevenue` text,
	`biggestChallenge` text NOT NULL,
	`goals` text NOT NULL,
	`timeCommitment` text NOT NULL,
	`investment` text NOT NULL,
	`heardAbout` text,
	`additionalInfo` text,
	`status` text DEFAULT 'pending' NOT NULL,
	`createdAt` text NOT NULL,
	CONSTRAINT "coaching_applications_trade" CHECK("trade" in ('plumber', 'electrician', 'builder', 'carpenter', 'painter', 'roofer', 'heating', 'landscaper', 'other')),
	CONSTRAINT "coaching_applications_revenue" CHECK("currentRevenue" is null or "currentRevenue" in ('under-50k', '50k-100k', '100k-200k', '200k-500k', 'over-500k')),
	CONSTRAINT "coaching_applications_time" CHECK("timeCommitment" in ('1-2', '3-5', '5-10', '10+')),
	CONSTRAINT "coaching_applications_investment" CHECK("investment" in ('under-1k', '1k-3k', '3k-5k', '5k+')),
	CONSTRAINT "coaching_applications_heard" CHECK("heardAbout" is null or "heardAbout" in ('podcast', 'youtube', 'social-media', 'google', 'referral', 'other')),
	CONSTRAINT "coaching_applications_status" CHECK("status" in ('pending', 'contacted', 'approved', 'rejected'))
);
--> statement-breakpoint
CREATE INDEX `coaching_applications_created` ON `coaching_applications` (`createdAt`);--> statement-breakpoint
CREATE TABLE `coaching_bookings` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`businessName` text,
	`trade` text,
	`bookingDate` text NOT NULL,
	`duration` integer DEFAULT 30 NOT NULL,
	`timeZone` text DEFAULT 'Europe/London' NOT NULL,
	`status` text DEFAULT 'scheduled' NOT NULL,
	`notes` text,
	`reminderSent` integer DEFAULT false NOT NULL,
	`salesLionBookingId` text,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	CONSTRAINT "coaching_bookings_status" CHECK("status" in ('scheduled', 'completed', 'cancelled', 'no-show'))
);
--> statement-breakpoint
CREATE INDEX `coaching_bookings_date` ON `coaching_bookings` (`bookingDate`);--> statement-breakpoint
CREATE TABLE `contacts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`trade` text,
	`message` text NOT NULL,
	`createdAt` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `membership_applications` (
	`id` text PRIMARY KEY NOT NULL,
	`firstName` text NOT NULL,
	`lastName` text NOT NULL,
	`email` text NOT NULL,
	`phone` text NOT NULL,
	`businessName` text NOT NULL,
	`trade` text NOT NULL,
	`businessStage` text NOT NULL,
	`yearsInTrade` text NOT NULL,
	`currentChallenges` text NOT NULL,
	`goals` text NOT NULL,
	`whyJoin` text NOT NULL,
	`hearAboutUs` text NOT NULL,
	`agreeTerms` integer NOT NULL,
	`selectedTier` text DEFAULT 'standard' NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`createdAt` text NOT NULL,
	CONSTRAINT "membership_applications_stage" CHECK("businessStage" in ('startup', 'established', 'growing', 'scaling')),
	CONSTRAINT "membership_applications_tier" CHECK("selectedTier" in ('lite', 'standard', 'xl')),
	CONSTRAINT "membership_applications_status" CHECK("status" in ('pending', 'contacted', 'approved', 'rejected'))
);
--> statement-breakpoint
CREATE INDEX `membership_applications_email` ON `membership_applications` (`email`,`status`);--> statement-breakpoint
CREATE INDEX `membership_applications_created` ON `membership_applications` (`createdAt`);--> statement-breakpoint
CREATE TABLE `quotient_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`packageType` text DEFAULT 'professional' NOT NULL,
	`firstName` text NOT NULL,
	`lastName` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`businessName` text NOT NULL,
	`tradeType` text,
	`preferredManufacturer` text,
	`warrantyBoostPrice` text,
	`cheapestCarePlanPrice` text,
	`generalHourlyRate` text,
	`generalInstallRate` text,
	`generalDayRate` text,
	`vatRegistered` text,
	`additionalRequirements` text,
	`agreeToTerms` integer NOT NULL,
	`net` integer NOT NULL,
	`vat` integer NOT NULL,
	`total` integer NOT NULL,
	`stripePaymentIntentId` text,
	`status` text DEFAULT 'pending' NOT NULL,
	`createdAt` text NOT NULL,
	`paidAt` text,
	CONSTRAINT "quotient_orders_package" CHECK("packageType" in ('professional', 'master')),
	CONSTRAINT "quotient_orders_vat" CHECK("vatRegistered" is null or "vatRegistered" in ('yes', 'no')),
	CONSTRAINT "quotient_orders_status" CHECK("status" in ('pending', 'paid', 'refunded')),
	CONSTRAINT "quotient_orders_trade" CHECK("tradeType" is null or "tradeType" in ('heating', 'plumbing', 'gas', 'electrical', 'bathroom', 'general', 'other')),
	CONSTRAINT "quotient_orders_maker" CHECK("preferredManufacturer" is null or "preferredManufacturer" in ('worcester', 'vaillant', 'baxi', 'ideal', 'viessmann', 'alpha', 'other'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quotient_orders_stripePaymentIntentId_unique` ON `quotient_orders` (`stripePaymentIntentId`);--> statement-breakpoint
CREATE TABLE `membership_tiers` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`price` integer NOT NULL,
	`features` text NOT NULL,
	`hasWeeklyAccountability` integer DEFAULT false NOT NULL,
	`callDuration` integer,
	`hasMonthlyCoaching` integer DEFAULT false NOT NULL,
	`hasVideoAccess` integer DEFAULT true NOT NULL,
	`hasCommunityAccess` integer DEFAULT true NOT NULL,
	`isActive` integer DEFAULT true NOT NULL,
	`orderIndex` integer DEFAULT 0 NOT NULL,
	`stripeProductId` text,
	`stripePriceId` text,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	CONSTRAINT "membership_tiers_slug" CHECK("slug" in ('lite', 'standard', 'xl')),
	CONSTRAINT "membership_tiers_price" CHECK("price" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `membership_tiers_slug_unique` ON `membership_tiers` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `membership_tiers_name_unique` ON `membership_tiers` (`name`);--> statement-breakpoint
CREATE TABLE `purchase_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text,
	`kind` text NOT NULL,
	`tierSlug` text NOT NULL,
	`request` text NOT NULL,
	`stripeSubscriptionId` text,
	`openedAt` text NOT NULL,
	`closedAt` text,
	`outcome` text,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "purchase_attempts_kind" CHECK("kind" in ('subscription', 'delayed')),
	CONSTRAINT "purchase_attempts_tier" CHECK("tierSlug" in ('lite', 'standard', 'xl'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `purchase_attempts_one_open` ON `purchase_attempts` (`userId`) WHERE "closedAt" is null;--> statement-breakpoint
CREATE INDEX `purchase_attempts_subscription` ON `purchase_attempts` (`stripeSubscriptionId`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`status` text NOT NULL,
	`isSettled` integer DEFAULT true NOT NULL,
	`tierSlug` text NOT NULL,
	`stripePriceId` text,
	`monthlyNet` integer NOT NULL,
	`currentPeriodStart` text,
	`currentPeriodEnd` text,
	`trialEnd` text,
	`cancelAtPeriodEnd` integer DEFAULT false NOT NULL,
	`cancelAt` text,
	`canceledAt` text,
	`endedAt` text,
	`cancellationReason` text,
	`created` text NOT NULL,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "subscriptions_tier" CHECK("tierSlug" in ('lite', 'standard', 'xl')),
	CONSTRAINT "subscriptions_status" CHECK("status" in ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'canceled', 'paused'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_live` ON `subscriptions` (`customerId`) WHERE "status" not in ('canceled', 'incomplete_expired');--> statement-breakpoint
CREATE INDEX `subscriptions_customer` ON `subscriptions` (`customerId`,`created`);--> statement-breakpoint
CREATE INDEX `subscriptions_revenue` ON `subscriptions` (`status`,`tierSlug`,`monthlyNet`,`customerId`);--> statement-breakpoint
CREATE TABLE `withdrawals` (
	`stripeSubscriptionId` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`openedAt` text NOT NULL,
	`closedAt` text,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict
);
--> statement-breakpoint
CREATE INDEX `withdrawals_open` ON `withdrawals` (`customerId`) WHERE "closedAt" is null;--> statement-breakpoint
CREATE TABLE `commission_ledger` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`customerId` text,
	`invoiceId` text,
	`manualCommissionId` text,
	`reverses` text,
	`month` text NOT NULL,
	`tierSlug` text,
	`net` integer NOT NULL,
	`rate` integer,
	`amount` integer NOT NULL,
	`dueOn` text NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`invoiceId`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "commission_ledger_tier" CHECK("tierSlug" is null or "tierSlug" in ('lite', 'standard', 'xl')),
	CONSTRAINT "commission_ledger_kind" CHECK("kind" in ('invoice', 'upsell', 'clawback', 'payment', 'reversal'))
);
--> statement-breakpoint
CREATE INDEX `commission_ledger_month` ON `commission_ledger` (`month`,`kind`,`amount`);--> statement-breakpoint
CREATE INDEX `commission_ledger_customer` ON `commission_ledger` (`customerId`,`month`);--> statement-breakpoint
CREATE UNIQUE INDEX `commission_ledger_invoice` ON `commission_ledger` (`invoiceId`) WHERE "kind" = 'invoice';--> statement-breakpoint
CREATE TABLE `commission_rates` (
	`tierSlug` text NOT NULL,
	`rate` integer NOT NULL,
	`validFrom` text NOT NULL,
	PRIMARY KEY(`tierSlug`, `validFrom`),
	CONSTRAINT "commission_rates_tier" CHECK("tierSlug" in ('lite', 'standard', 'xl'))
);
--> statement-breakpoint
CREATE TABLE `credit_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL,
	`number` text NOT NULL,
	`invoiceId` text NOT NULL,
	`reason` text NOT NULL,
	`providerRefundId` text,
	`net` integer NOT NULL,
	`vat` integer NOT NULL,
	`gross` integer NOT NULL,
	`issuedOn` text NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`invoiceId`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE restrict
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_sequence_unique` ON `credit_notes` (`sequence`);--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_number_unique` ON `credit_notes` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_providerRefundId_unique` ON `credit_notes` (`providerRefundId`);--> statement-breakpoint
CREATE INDEX `credit_notes_invoice` ON `credit_notes` (`invoiceId`);--> statement-breakpoint
CREATE TABLE `invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL,
	`number` text NOT NULL,
	`customerId` text NOT NULL,
	`providerInvoiceId` text,
	`replacesId` text,
	`isRetroactive` integer DEFAULT false NOT NULL,
	`isMissingAddress` integer DEFAULT false NOT NULL,
	`taxPoint` text NOT NULL,
	`issuedOn` text NOT NULL,
	`seller` text NOT NULL,
	`customer` text NOT NULL,
	`lines` text NOT NULL,
	`tierSlug` text,
	`net` integer NOT NULL,
	`vat` integer NOT NULL,
	`gross` integer NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`providerInvoiceId`) REFERENCES `provider_invoices`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "invoices_tier" CHECK("tierSlug" is null or "tierSlug" in ('lite', 'standard', 'xl'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_sequence_unique` ON `invoices` (`sequence`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_number_unique` ON `invoices` (`number`);--> statement-breakpoint
CREATE INDEX `invoices_customer` ON `invoices` (`customerId`,`createdAt`);--> statement-breakpoint
CREATE INDEX `invoices_revenue` ON `invoices` (`taxPoint`,`tierSlug`,`net`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_payment` ON `invoices` (`providerInvoiceId`) WHERE "replacesId" is null;--> statement-breakpoint
CREATE TABLE `manual_commissions` (
	`id` text PRIMARY KEY NOT NULL,
	`description` text NOT NULL,
	`totalAmount` integer NOT NULL,
	`commissionAmount` integer NOT NULL,
	`saleDate` text NOT NULL,
	`commissionPaid` integer DEFAULT false NOT NULL,
	`commissionPaidDate` text,
	`createdAt` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `provider_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`stripeCustomerId` text,
	`receivedAt` text NOT NULL,
	`processedAt` text
);
--> statement-breakpoint
CREATE INDEX `provider_events_waiting` ON `provider_events` (`receivedAt`) WHERE "processedAt" is null;--> statement-breakpoint
CREATE TABLE `provider_invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`subscriptionId` text,
	`status` text NOT NULL,
	`billingReason` text,
	`tierSlug` text,
	`net` integer NOT NULL,
	`vat` integer NOT NULL,
	`total` integer NOT NULL,
	`amountPaid` integer NOT NULL,
	`amountRefunded` integer DEFAULT 0 NOT NULL,
	`hostedInvoiceUrl` text,
	`periodStart` text,
	`periodEnd` text,
	`created` text NOT NULL,
	`paidAt` text,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`subscriptionId`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "provider_invoices_tier" CHECK("tierSlug" is null or "tierSlug" in ('lite', 'standard', 'xl')),
	CONSTRAINT "provider_invoices_status" CHECK("status" in ('draft', 'open', 'paid', 'void', 'uncollectible'))
);
--> statement-breakpoint
CREATE INDEX `provider_invoices_customer` ON `provider_invoices` (`customerId`,`created`);--> statement-breakpoint
CREATE INDEX `provider_invoices_subscription` ON `provider_invoices` (`subscriptionId`,`status`,`created`);--> statement-breakpoint
CREATE TABLE `revenue_months` (
	`month` text PRIMARY KEY NOT NULL,
	`figures` text NOT NULL,
	`frozenAt` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `addresses` (
	`userId` text PRIMARY KEY NOT NULL,
	`line1` text NOT NULL,
	`line2` text,
	`town` text NOT NULL,
	`postcode` text NOT NULL,
	`country` text DEFAULT 'GB' NOT NULL,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`name` text NOT NULL,
	`tokenHash` text NOT NULL,
	`expiresAt` text NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_tokenHash_unique` ON `api_tokens` (`tokenHash`);--> statement-breakpoint
CREATE INDEX `api_tokens_user` ON `api_tokens` (`userId`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text,
	`stripeCustomerId` text NOT NULL,
	`ticketTaken` integer DEFAULT 0 NOT NULL,
	`ticketWritten` integer DEFAULT 0 NOT NULL,
	`syncedAt` text,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_stripeCustomerId_unique` ON `customers` (`stripeCustomerId`);--> statement-breakpoint
CREATE UNIQUE INDEX `customers_user` ON `customers` (`userId`);--> statement-breakpoint
CREATE TABLE `known_devices` (
	`tokenHash` text NOT NULL,
	`userId` text NOT NULL,
	`createdAt` text NOT NULL,
	PRIMARY KEY(`tokenHash`, `userId`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `known_devices_user` ON `known_devices` (`userId`);--> statement-breakpoint
CREATE TABLE `owner_addresses` (
	`role` text NOT NULL,
	`email` text NOT NULL,
	`userId` text,
	`recordedAt` text NOT NULL,
	PRIMARY KEY(`role`, `email`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "owner_addresses_role" CHECK("role" in ('owner', 'simple_admin'))
);
--> statement-breakpoint
CREATE TABLE `password_resets` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`purpose` text DEFAULT 'password' NOT NULL,
	`token` text NOT NULL,
	`expiresAt` text NOT NULL,
	`used` integer DEFAULT false NOT NULL,
	`createdAt` text NOT NULL,
	CONSTRAINT "password_resets_purpose" CHECK("purpose" in ('password', 'join'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `password_resets_token_unique` ON `password_resets` (`token`);--> statement-breakpoint
CREATE INDEX `password_resets_email` ON `password_resets` (`email`,`createdAt`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`sid` text PRIMARY KEY NOT NULL,
	`sess` text NOT NULL,
	`expire` text NOT NULL,
	`userId` text NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`userId`);--> statement-breakpoint
CREATE INDEX `sessions_expire` ON `sessions` (`expire`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`firstName` text,
	`lastName` text,
	`phone` text,
	`businessName` text,
	`trade` text,
	`profileImageUrl` text,
	`isAdmin` integer DEFAULT false NOT NULL,
	`isMember` integer DEFAULT false NOT NULL,
	`membershipTier` text,
	`stripeCustomerId` text,
	`stripeSubscriptionId` text,
	`membershipStartDate` text,
	`tempPassword` text,
	`passwordChanged` integer DEFAULT false NOT NULL,
	`passwordHash` text,
	`resetToken` text,
	`resetTokenExpiry` text,
	`accessOverride` text,
	`commissionPaid` integer DEFAULT false NOT NULL,
	`commissionPaidDate` text,
	`lastCommissionMonth` text,
	`commissionAmount` integer,
	`lastSeenAt` text,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	CONSTRAINT "users_override" CHECK("accessOverride" is null or "accessOverride" in ('granted', 'revoked')),
	CONSTRAINT "users_tier" CHECK("membershipTier" is null or "membershipTier" in ('lite', 'standard', 'xl'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`targetId` text,
	`detail` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entries_at` ON `audit_entries` (`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_target` ON `audit_entries` (`targetId`,`at`);--> statement-breakpoint
CREATE TABLE `idempotency_answers` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`bodyHash` text NOT NULL,
	`status` integer NOT NULL,
	`answer` text NOT NULL,
	`createdAt` text NOT NULL,
	PRIMARY KEY(`scope`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_answers_created` ON `idempotency_answers` (`createdAt`);--> statement-breakpoint
CREATE TABLE `job_leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`expiresAt` text NOT NULL,
	`lastRunAt` text,
	`lastReport` text
);
--> statement-breakpoint
CREATE TABLE `limit_hits` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bucket` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `limit_hits_bucket` ON `limit_hits` (`bucket`,`at`);--> statement-breakpoint
CREATE INDEX `limit_hits_at` ON `limit_hits` (`at`);--> statement-breakpoint
CREATE TABLE `mail_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`cause` text NOT NULL,
	`userId` text,
	`to` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`messageId` text NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`nextAttemptAt` text NOT NULL,
	`lastError` text,
	`createdAt` text NOT NULL,
	`sentAt` text,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "mail_outbox_status" CHECK("status" in ('waiting', 'sending', 'sent', 'refused', 'failed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_outbox_cause_unique` ON `mail_outbox` (`cause`);--> statement-breakpoint
CREATE INDEX `mail_outbox_due` ON `mail_outbox` (`status`,`nextAttemptAt`);--> statement-breakpoint
CREATE INDEX `mail_outbox_user` ON `mail_outbox` (`userId`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updatedAt` text NOT NULL
);
