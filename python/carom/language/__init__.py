"""The model language in Python: coordinates and parameters are symbols, statements are methods, the result is the text of a model file.

    Language       the words of the language as methods; what carom.Model builds on
    Symbol, Value  expressions; what statements return
    Condition      x > 0, for select and np.where
    Vocabulary     the words as the library has them
    functions      sin, cos, ... of symbols and numbers
"""

from . import functions
from .language import Language, set_default_vocabulary
from .functions import select
from .symbols import Condition, Symbol, SymbolError
from .tables import LuaTable, table
from .values import Value
from .vocabulary import Vocabulary, Word
from .words import WordError

__all__ = ["Condition", "Language", "LuaTable", "Symbol", "SymbolError", "Value", "Vocabulary", "Word", "WordError", "functions", "select",
           "set_default_vocabulary", "table"]
