package io.quotaenforcer.core.message;

/**
 * Facts fixed for the life of a topic prefix; every part refuses to work with others.
 *
 * @param partitions partitions of the usage topics: they determine which one counts a key
 * @param hashVersion version of the function from key to partition
 * @param maxInstances divisor of a shared opening: most epochs of instances per window
 */
public record PrefixInfo(int partitions, int hashVersion, int maxInstances) {}
