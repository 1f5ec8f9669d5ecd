-- Names from before they were tidied on their way in: soft hyphens, spaces and joiners without a width, byte order marks.
UPDATE `users` SET
  "firstName" = replace(replace(replace(replace("firstName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "lastName" = replace(replace(replace(replace("lastName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "businessName" = replace(replace(replace(replace("businessName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "trade" = replace(replace(replace(replace("trade", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "phone" = replace(replace(replace(replace("phone", char(173), ''), char(8203), ''), char(8288), ''), char(65279), '')
WHERE coalesce("firstName", '') || coalesce("lastName", '') || coalesce("businessName", '') || coalesce("trade", '') || coalesce("phone", '') GLOB '*[' || char(173, 8203, 8288, 65279) || ']*';
--> statement-breakpoint
UPDATE `membership_applications` SET
  "firstName" = replace(replace(replace(replace("firstName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "lastName" = replace(replace(replace(replace("lastName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "businessName" = replace(replace(replace(replace("businessName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), '')
WHERE coalesce("firstName", '') || coalesce("lastName", '') || coalesce("businessName", '') GLOB '*[' || char(173, 8203, 8288, 65279) || ']*';
--> statement-breakpoint
UPDATE `contacts` SET
  "name" = replace(replace(replace(replace("name", char(173), ''), char(8203), ''), char(8288), ''), char(65279), '')
WHERE coalesce("name", '') GLOB '*[' || char(173, 8203, 8288, 65279) || ']*';
--> statement-breakpoint
UPDATE `coaching_applications` SET
  "name" = replace(replace(replace(replace("name", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "businessName" = replace(replace(replace(replace("businessName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), '')
WHERE coalesce("name", '') || coalesce("businessName", '') GLOB '*[' || char(173, 8203, 8288, 65279) || ']*';
--> statement-breakpoint
UPDATE `coaching_bookings` SET
  "name" = replace(replace(replace(replace("name", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "businessName" = replace(replace(replace(replace("businessName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), '')
WHERE coalesce("name", '') || coalesce("businessName", '') GLOB '*[' || char(173, 8203, 8288, 65279) || ']*';
--> statement-breakpoint
UPDATE `member_invitations` SET
  "firstName" = replace(replace(replace(replace("firstName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "lastName" = replace(replace(replace(replace("lastName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), '')
WHERE coalesce("firstName", '') || coalesce("lastName", '') GLOB '*[' || char(173, 8203, 8288, 65279) || ']*';
--> statement-breakpoint
UPDATE `quotient_orders` SET
  "firstName" = replace(replace(replace(replace("firstName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "lastName" = replace(replace(replace(replace("lastName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), ''),
  "businessName" = replace(replace(replace(replace("businessName", char(173), ''), char(8203), ''), char(8288), ''), char(65279), '')
WHERE coalesce("firstName", '') || coalesce("lastName", '') || coalesce("businessName", '') GLOB '*[' || char(173, 8203, 8288, 65279) || ']*';
