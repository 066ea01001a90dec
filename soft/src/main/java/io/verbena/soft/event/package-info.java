/// What the software device tells the JDK's flight recorder.
package io.verbena.soft.event;
