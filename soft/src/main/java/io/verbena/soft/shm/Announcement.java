package io.verbena.soft.shm;

/// What a process announced: a file of its own.
public record Announcement(String process, String name) {}
