package io.quotaenforcer.samples.servlet;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.http.QuotaExtractor;
import io.quotaenforcer.servlet.QuotaFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** A servlet on an embedded Tomcat, whose requests are limited by path and by address. */
public final class ShopServer {
  private ShopServer() {}

  private static final class Hello extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().write("hello at " + request.getServletPath());
    }
  }

  /**
   * Serves until it is killed.
   *
   * @param arguments Kafka's address, a folder for Tomcat, and the port to serve on: by default any
   *     that is free
   */
  public static void main(String[] arguments) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(arguments[1]);
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(arguments.length < 3 ? 0 : Integer.parseInt(arguments[2]));
    Context app = tomcat.addContext("", arguments[1]);
    Tomcat.addServlet(app, "hello", new Hello()).setAsyncSupported(true);
    app.addServletMappingDecoded("/", "hello");
    // quota
    AdmissionClient client = AdmissionClient.builder().bootstrapServers(arguments[0]).build();
    QuotaExtractor keys =
        http -> Optional.of(Request.of("ip", http.clientAddress(), "path", http.path()));
    HttpQuota quota = HttpQuota.builder(client, keys).maxWait(Duration.ofSeconds(2)).build();
    app.addServletContainerInitializer((types, to) -> new QuotaFilter(quota).addTo(to), Set.of());
    // end of quota
    tomcat.start();
    System.out.println("listens on " + tomcat.getConnector().getLocalPort());
    tomcat.getServer().await();
  }
}
