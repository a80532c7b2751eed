package io.quotaenforcer.core.message;

/**
 * What is fixed for the life of a topic prefix; every part refuses to work with another.
 *
 * @param partitions partitions of the usage topics: which one counts a key depends on it
 * @param hashVersion version of the function from key to partition
 * @param maxInstances most epochs of instances per window that a shared opening is divided by
 */
public record PrefixInfo(int partitions, int hashVersion, int maxInstances) {}
