package io.quotaenforcer.lab.it;

import io.quotaenforcer.lab.service.TracedService;
import java.io.IOException;
import java.nio.file.Path;

/** The program of a service under {@link ServiceLoad}. */
public final class LoadService {
  private LoadService() {}

  /** Arguments: bootstrap servers, name of the instance, folder of the trace, seed. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    TracedService.run(
        ServiceLoad.TRACES,
        arguments[0],
        arguments[1],
        Path.of(arguments[2]),
        ServiceLoad.of(Long.parseLong(arguments[3])));
  }
}
