"""One invented army, as each form of list writes it."""

from __future__ import annotations

NESTED = """My wall (330 Points)

Wall Folk
Strike Force (2,000 Points)

CHARACTERS

Grüt the Old (80 Points)
• Warlord
• 1x Sling
• 1x Stone axe

BATTLELINE

Wall Wardens (100 Points)
• 1x Warden Captain
◦ 1x Boots
◦ 1x Glow pistol
◦ 1x Great axe
• 4x Warden
◦ 4x Boots
◦ 4x Long rifle

OTHER DATASHEETS

Stone Crawler (150 Points)
• 2x Boulder gun
• 1x Treads

Exported with App Version: v2.0.1 (2), Data Version: v875
"""

INDENT_LOST = """My wall (330 points)

Wall Folk
Strike Force (2000 points)

CHARACTERS

Grüt the Old (80 points)
• Warlord
• 1x Sling
1x Stone axe

BATTLELINE

Wall Wardens (100 points)
• 1x Warden Captain
• 1x Boots
1x Glow pistol
1x Great axe
• 4x Warden
• 4x Boots
4x Long rifle

OTHER DATASHEETS

Stone Crawler (150 points)
• 2x Boulder gun
1x Treads
"""

INDENTED = """My wall (330 points)

CHARACTERS

Grüt the Old (80 points)
  • Warlord
  • 1x Sling
    1x Stone axe

BATTLELINE

Wall Wardens (100 points)
  • 1x Warden Captain
     • 1x Boots
       1x Glow pistol
       1x Great axe
  • 4x Warden
     • 4x Boots
       4x Long rifle

OTHER DATASHEETS

Stone Crawler (150 points)
  • 2x Boulder gun
    1x Treads
"""

ONE_BULLET = """A wall in spring – Wall Folk
Strike Force (2000 points)

CHARACTER
Grut the Old (80 points)
• Warlord
• 1x Sling
• 1x Stone axe

BATTLELINE
Wall Wardens (100 points)
• 1x Warden Captain
• 1x Boots
• 1x Glow pistol
• 1x Great axe
• 4x Warden
• 4x Boots
• 4x Long rifle

OTHER DATASHEETS
Stone Crawler (150 points)
• 2x Boulder gun
• 1x Treads
"""

FRENCH = """Le mur (330 points)

Peuple du mur
Force de Frappe (2000 points)
Garde (3 Points de Détachement)

PERSONNAGES

Grüt the Old (80 points)
• Seigneur de Guerre
• 1x Sling
1x Stone axe

LIGNE

Wall Wardens (100 points)
• 1x Warden Captain
• 1x Boots
1x Glow pistol
1x Great axe
• 4x Warden
• 4x Boots
4x Long rifle

AUTRES FICHES TECHNIQUES

Stone Crawler (150 points)
• 2x Boulder gun
1x Treads

Exporté avec la Version de l'Appli : v2.0.5 (128), Version de Données : v886
"""

FENCED = """+++++++++++++++++++++++++++++
+ FACTION KEYWORD: Folk - Wall Folk
+ DETACHMENT: Garrison (Hold the Wall)
+ TOTAL ARMY POINTS: 330pts
+
+ WARLORD: Char1: Grüt the Old
+ NUMBER OF UNITS: 3
+++++++++++++++++++++++++++++

Char1: 1x Grüt the Old (80 pts): Warlord, Sling, Stone axe

5x Wall Wardens (100 pts)
• 1x Warden Captain: Boots, Glow pistol, Great axe
• 4x Warden: 4 with Boots, Long rifle

1x Stone Crawler (150 pts): 2x Boulder gun, Treads
"""

FENCED_LINES = """+++++++++++++++++++++++++++++
+ FACTION KEYWORD: Wall Folk
+ TOTAL ARMY POINTS: 330pts
+++++++++++++++++++++++++++++

Char1: 1x Grüt the Old (80 pts): Sling, Stone axe
5x Wall Wardens (100 pts)
• 1x Warden Captain: Boots, Glow pistol, Great axe
• 4x Warden
3 with Boots, Long rifle
1 with Boots, Long rifle
1x Stone Crawler (150 points): Boulder gun, Boulder gun, Treads
"""

MARKDOWN = """# ++ Army Roster ++ [330 pts]
## Configuration
Battle Size: Strike Force (2000 Point limit)
Detachment: Garrison

## Character [80 pts]
Grüt the Old [80 pts]: Warlord, Sling, Stone axe

## Battleline [100 pts]
Wall Wardens [100 pts]:
• 1x Warden Captain: Boots, Glow pistol, Great axe
• 4x Warden w/ long rifle: Boots, Long rifle

## Vehicle [150 pts]
Stone Crawler [150 pts]: 2x Boulder gun, Treads
"""

LISTFORGE = """My wall - Wall Folk - Garrison (330 Points)


Character:
Grüt the Old (80 pts)
  • Sling
  • Stone axe
  • Warlord


Battleline:
Wall Wardens (100 pts)
  • Warden Captain
    • Boots
    • Glow pistol
    • Great axe
  • 4 rifles
    • 3x Warden
      • 3x Boots
      • 3x Long rifle
    • Warden w/ rifle
      • Boots
      • Long rifle


Vehicle:
Stone Crawler (150 pts)
  • Two guns
    • 2x Boulder gun
  • Treads
"""

FORMS = {
    "nested bullets": NESTED,
    "indents": INDENTED,
    "indents lost": INDENT_LOST,
    "one bullet for all": ONE_BULLET,
    "French": FRENCH,
    "between fences": FENCED,
    "between fences, lines of their own": FENCED_LINES,
    "Markdown": MARKDOWN,
    "ListForge": LISTFORGE,
}
