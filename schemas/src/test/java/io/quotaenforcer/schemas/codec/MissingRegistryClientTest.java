package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** An embedder's view without the registry client: the same class path without it. */
class MissingRegistryClientTest {
  @Test
  void registryConfigured_namesTheArtifact() throws Exception {
    try (URLClassLoader loader = withoutRegistryClient()) {
      Method from = loader.loadClass(Codecs.class.getName()).getMethod("from", Map.class);

      assertThatExceptionOfType(InvocationTargetException.class)
          .isThrownBy(() -> from.invoke(null, Map.of("schema.registry.url", "http://127.0.0.1:1")))
          .satisfies(
              e -> {
                assertThat(e.getCause().getClass().getName())
                    .isEqualTo(CodecException.class.getName());
                assertThat(e.getCause())
                    .hasMessageContaining("io.quotaenforcer:quota-registry-client");
              });
    }
  }

  @Test
  void noRegistryConfigured_works() throws Exception {
    try (URLClassLoader loader = withoutRegistryClient()) {
      Method from = loader.loadClass(Codecs.class.getName()).getMethod("from", Map.class);

      assertThat(from.invoke(null, Map.of())).isNotNull();
    }
  }

  private static URLClassLoader withoutRegistryClient() throws Exception {
    List<URL> urls = new ArrayList<>();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : classPath.split(Pattern.quote(File.pathSeparator), -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    assertThat(urls.removeIf(url -> url.getPath().contains("registry-client"))).isTrue();
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }
}
