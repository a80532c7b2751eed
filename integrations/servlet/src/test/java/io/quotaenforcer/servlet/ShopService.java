package io.quotaenforcer.servlet;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.http.HttpQuota;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A small service on Tomcat, in this process. */
final class ShopService implements AutoCloseable {
  private final Tomcat tomcat;

  private ShopService(Tomcat tomcat) {
    this.tomcat = tomcat;
  }

  /** Answers every request. */
  static final class Hello extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().write("hello at " + request.getServletPath());
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      doGet(request, response);
    }
  }

  static ShopService start(Path folder, Filter filter) throws LifecycleException {
    return start(folder, filter, new Hello());
  }

  static ShopService start(Path folder, Filter filter, Servlet servlet) throws LifecycleException {
    Logger.getLogger("org.apache").setLevel(Level.WARNING);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", folder.toString());
    Wrapper wrapper = Tomcat.addServlet(context, "hello", servlet);
    wrapper.setAsyncSupported(true);
    context.addServletMappingDecoded("/", "hello");
    FilterDef definition = new FilterDef();
    definition.setFilterName("quota");
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName("quota");
    map.addURLPattern("/*");
    context.addFilterMap(map);
    tomcat.start();
    return new ShopService(tomcat);
  }

  int port() {
    return tomcat.getConnector().getLocalPort();
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  static HttpQuota quota(Admission admission, Duration maxWait) {
    return HttpQuota.builder(
            admission,
            http -> Optional.of(Request.of("ip", http.clientAddress(), "path", http.path())))
        .maxWait(maxWait)
        .build();
  }
}
