"""The bundled patients: three small trainers that suffer from what graphdoctor treats."""
