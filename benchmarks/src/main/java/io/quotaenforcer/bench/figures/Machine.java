package io.quotaenforcer.bench.figures;

/**
 * The machine that a benchmark ran on.
 *
 * @param java virtual machine and version
 * @param os operating system, version and architecture
 * @param cores that it may use
 */
public record Machine(String java, String os, int cores) {

  public static Machine here() {
    return new Machine(
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors());
  }
}
