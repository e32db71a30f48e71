"""The start of ``rtckb.pyz``: imports the modules in the archive instead of any that are installed on the machine.

Every Python since 2.7 can compile this file, so that an old one prints which version is wanted.
"""
# mypy: ignore-errors
# (Python 2 has no annotations.)

import sys

if sys.version_info < (3, 11):
    sys.exit("rtckb: found Python %d.%d; wanted Python 3.11 or newer" % sys.version_info[:2])

from importlib.machinery import ModuleSpec
from marshal import loads


class ArchiveImporter:
    """Finds and loads the modules of the archive, which is read once: it may be replaced or removed while they run.

    ``zipimport`` would open the archive again for each module, at offsets that are wrong in a newer archive.
    """

    def __init__(self, zipped):
        self.archive = zipped.archive
        zipped.invalidate_caches()
        try:
            data, self.read = zipped.get_data("modules." + sys.implementation.cache_tag), loads
        except OSError:
            data, self.read = zipped.get_data("modules.source"), self.compiled
        self.modules = loads(data)

    def compiled(self, source):
        """Compile a module from its source, under a Python that the archive contains no compiled code for."""
        return compile(source, self.archive, "exec")

    def find_spec(self, name, path=None, target=None):
        """Find a module of this archive; any other is left to the next finder."""
        if name in self.modules:
            return ModuleSpec(name, self, origin=self.archive, is_package=self.modules[name][0])
        return None

    def create_module(self, spec):
        """Let the interpreter create the module."""
        return None

    def exec_module(self, module):
        """Run the code of a module in its namespace."""
        exec(self.read(self.modules[module.__name__][1]), module.__dict__)


if __name__ == "__main__":
    sys.meta_path.insert(0, ArchiveImporter(__loader__))
    from rtckb import main

    main()
