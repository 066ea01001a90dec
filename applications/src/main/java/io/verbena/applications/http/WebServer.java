package io.verbena.applications.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// A server in Jetty: HTTP/1.1 and HTTP/2 on one port, both with TLS on another one when there is a key store. `GET
/// /BYTES` answers with
/// that many bytes, `POST` with those that came.
///
/// Arguments: none, or the key store and its password.
public final class WebServer {
    private WebServer() {}

    /// Runs the server.
    public static void main(String[] arguments) throws Exception {
        Server server = new Server();
        HttpConfiguration plain = new HttpConfiguration();
        ServerConnector http =
                new ServerConnector(server, new HttpConnectionFactory(plain), new HTTP2CServerConnectionFactory(plain));
        http.setHost("127.0.0.1");
        server.addConnector(http);
        ServerConnector https = arguments.length < 2 ? null : https(server, arguments[0], arguments[1]);
        server.setHandler(new Bytes());
        server.start();
        System.out.println("http " + http.getLocalPort());
        if (https != null) {
            System.out.println("https " + https.getLocalPort());
        }
        server.join();
    }

    /// Starts a server with HTTP/1.1 and returns its port.
    public static int start() throws Exception {
        Server server = new Server();
        ServerConnector http = new ServerConnector(server);
        http.setHost("127.0.0.1");
        server.addConnector(http);
        server.setHandler(new Bytes());
        server.start();
        return http.getLocalPort();
    }

    private static ServerConnector https(Server server, String keyStore, String password) {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.addCustomizer(new SecureRequestCustomizer(false)); // the client asks for an address, not a name
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        ssl.setKeyStorePath(keyStore);
        ssl.setKeyStorePassword(password);
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol("http/1.1");
        ServerConnector connector = new ServerConnector(
                server,
                new SslConnectionFactory(ssl, alpn.getProtocol()),
                alpn,
                new HTTP2ServerConnectionFactory(configuration),
                new HttpConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        return connector;
    }

    private static final class Bytes extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws IOException {
            if (request.getMethod().equals("POST")) {
                // All of it before the answer: a client of HTTP/1.1 reads no answer while it sends.
                response.write(true, Content.Source.asByteBuffer(request), callback);
                return true;
            }
            int length = Integer.parseInt(Request.getPathInContext(request).substring(1));
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
            response.write(true, ByteBuffer.allocate(length), callback);
            return true;
        }
    }
}
