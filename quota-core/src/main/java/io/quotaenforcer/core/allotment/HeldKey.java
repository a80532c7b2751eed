package io.quotaenforcer.core.allotment;

/** What stands for a quota key at an instance. */
sealed interface HeldKey permits KeyAllotment, DormantKey {}
