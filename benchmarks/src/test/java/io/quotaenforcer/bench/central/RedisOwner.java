package io.quotaenforcer.bench.central;

/** A program that starts a Redis, says its port, and waits to be killed. */
final class RedisOwner {
  private RedisOwner() {}

  public static void main(String[] arguments) throws Exception {
    RedisServer server = RedisServer.start(InstalledRedis.orSkip());
    System.out.println(server.port());
    System.in.read();
    throw new IllegalStateException("was not killed: " + server.port());
  }
}
