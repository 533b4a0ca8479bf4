#!/usr/bin/env python3
"""Loads the library as a scripting language does, checks a file in memory, and prints the findings: load.py LIBRARY FILE"""
import ctypes
import sys

MESSAGE_LEN = 256


def load(path):
    library = ctypes.CDLL(path)
    for name, result, *arguments in (
            ("uvet_version", ctypes.c_char_p),
            ("uvet_engine_new", ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
            ("uvet_engine_free", None, ctypes.c_void_p),
            ("uvet_check_memory", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t,
             ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
            ("uvet_report_count", ctypes.c_size_t, ctypes.c_void_p),
            ("uvet_report_at", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t),
            ("uvet_report_verdict", ctypes.c_int, ctypes.c_void_p),
            ("uvet_report_free", None, ctypes.c_void_p),
            ("uvet_finding_rule", ctypes.c_char_p, ctypes.c_void_p),
            ("uvet_finding_message", ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t),
            ("uvet_verdict_name", ctypes.c_char_p, ctypes.c_int)):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def main(path, file):
    uvet = load(path)
    with open(file, "rb") as f:
        data = f.read()
    engine, report = ctypes.c_void_p(), ctypes.c_void_p()
    if uvet.uvet_engine_new(None, ctypes.byref(engine)) != 0:
        return 4
    if uvet.uvet_check_memory(engine, file.encode(), data, len(data), None, ctypes.byref(report)) != 0:
        return 4
    message = ctypes.create_string_buffer(MESSAGE_LEN)
    for i in range(uvet.uvet_report_count(report)):
        finding = uvet.uvet_report_at(report, i)
        uvet.uvet_finding_message(finding, message, MESSAGE_LEN)
        print(uvet.uvet_finding_rule(finding).decode(), message.value.decode())
    print(uvet.uvet_version().decode(), uvet.uvet_verdict_name(uvet.uvet_report_verdict(report)).decode())
    uvet.uvet_report_free(report)
    uvet.uvet_engine_free(engine)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
