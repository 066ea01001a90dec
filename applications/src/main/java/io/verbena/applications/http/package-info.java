/// `java.net.http` and Jetty.
package io.verbena.applications.http;
